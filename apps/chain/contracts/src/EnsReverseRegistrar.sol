// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IEns} from './Ens.sol';

interface INameSetter {
    function setName(bytes32 node, string calldata name) external;
}

/// Owns `addr.reverse` and lets every address set its primary name.
contract EnsReverseRegistrar {
    /// namehash('addr.reverse')
    bytes32 private constant ADDR_REVERSE =
        0x91d1777781884d03a6757a803996e38de2a42967fb37eeaca72729271025a9e2;

    IEns public immutable ens;

    constructor(IEns ens_) {
        ens = ens_;
    }

    /// Sets the caller's primary name, stored by `resolver`.
    /// @return reverseNode the caller's node below `addr.reverse`
    function setName(INameSetter resolver, string calldata name) external returns (bytes32 reverseNode) {
        bytes32 label = keccak256(_hex(msg.sender));
        reverseNode = keccak256(abi.encodePacked(ADDR_REVERSE, label));
        ens.setSubnodeOwner(ADDR_REVERSE, label, address(this));
        ens.setResolver(reverseNode, address(resolver));
        resolver.setName(reverseNode, name);
        ens.setSubnodeOwner(ADDR_REVERSE, label, msg.sender);
    }

    function node(address account) external pure returns (bytes32) {
        return keccak256(abi.encodePacked(ADDR_REVERSE, keccak256(_hex(account))));
    }

    /// The ERC-181 label: forty lower-case hex digits without `0x`.
    function _hex(address account) private pure returns (bytes memory digits) {
        digits = new bytes(40);
        uint160 rest = uint160(account);
        for (uint256 i = 40; i > 0; i--) {
            digits[i - 1] = bytes16('0123456789abcdef')[rest & 15];
            rest >>= 4;
        }
    }
}
