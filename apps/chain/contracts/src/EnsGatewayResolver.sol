// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ECDSA} from '@openzeppelin/contracts/utils/cryptography/ECDSA.sol';
import {Ownable} from '@openzeppelin/contracts/access/Ownable.sol';
import {IExtendedResolver, OffchainLookup} from './Ens.sol';

interface IGateway {
    function resolve(bytes calldata name, bytes calldata data)
        external
        view
        returns (bytes memory result, uint64 expires, bytes memory signature);
}

/// Resolves a name and its subnames through an HTTP gateway (ENSIP-10, EIP-3668). Accepts unexpired
/// responses signed by `signer`.
contract EnsGatewayResolver is IExtendedResolver, Ownable {
    string[] private _urls;
    address public signer;

    error AnswerExpired(uint64 expires);
    error AnswerForged(address recovered);

    constructor(address signer_) {
        signer = signer_;
    }

    function urls() external view returns (string[] memory) {
        return _urls;
    }

    /// @param urls_ templates with `{sender}` and `{data}`
    function setGateway(string[] calldata urls_, address signer_) external onlyOwner {
        _urls = urls_;
        signer = signer_;
    }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory) {
        bytes memory request = abi.encodeCall(IGateway.resolve, (name, data));
        revert OffchainLookup(address(this), _urls, request, this.resolveWithProof.selector, request);
    }

    function resolveWithProof(bytes calldata response, bytes calldata request)
        external
        view
        returns (bytes memory)
    {
        (bytes memory result, uint64 expires, bytes memory signature) =
            abi.decode(response, (bytes, uint64, bytes));
        if (expires < block.timestamp) revert AnswerExpired(expires);
        address recovered = ECDSA.recover(digest(expires, request, result), signature);
        if (recovered != signer) revert AnswerForged(recovered);
        return result;
    }

    /// The digest to sign. It covers this contract, the request and an expiry (ERC-191, 0x00).
    function digest(uint64 expires, bytes calldata request, bytes memory result)
        public
        view
        returns (bytes32)
    {
        return
            keccak256(
                abi.encodePacked(
                    hex'1900',
                    address(this),
                    expires,
                    keccak256(request),
                    keccak256(result)
                )
            );
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == type(IExtendedResolver).interfaceId;
    }
}
